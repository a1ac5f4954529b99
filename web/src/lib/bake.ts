/** The drawn map as a picture, so that zooming moves pixels and draws nothing. Made in small pieces, when the page is idle. */

const MOST_PIXELS = 6_000_000;
const STRIP = 256;

/** Draw an image onto a canvas strip by strip; the answer stops it. */
export function bake(image: HTMLImageElement, canvas: HTMLCanvasElement, width: number, height: number, done: () => void): () => void {
  const scale = Math.min(1, Math.sqrt(MOST_PIXELS / (width * height)));
  const [w, h] = [Math.round(width * scale), Math.round(height * scale)];
  canvas.width = w;
  canvas.height = h;
  const context = canvas.getContext("2d");
  let stopped = false;
  let top = 0;
  const strip = () => {
    if (stopped || !context) return;
    const rows = Math.min(STRIP, h - top);
    context.drawImage(image, 0, top / scale, width, rows / scale, 0, top, w, rows);
    top += rows;
    if (top < h) whenIdle(strip);
    else done();
  };
  image.decode().then(
    () => whenIdle(strip),
    () => undefined,
  );
  return () => (stopped = true);
}

function whenIdle(work: () => void): void {
  if ("requestIdleCallback" in window) requestIdleCallback(work, { timeout: 1500 });
  else setTimeout(work, 60);
}
