import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { Camera } from "./camera";
import type { Point } from "./geometry";

const FRAME = { clientWidth: 1000, clientHeight: 800, getBoundingClientRect: () => ({ left: 0, top: 0 }) } as unknown as HTMLElement;

describe("the camera", () => {
  beforeEach(() => {
    vi.stubGlobal("requestAnimationFrame", () => 1);
    vi.stubGlobal("cancelAnimationFrame", () => undefined);
    vi.useFakeTimers();
  });
  afterEach(() => {
    vi.unstubAllGlobals();
    vi.useRealTimers();
  });

  const over = (point: Point): Camera => {
    const camera = new Camera(4000, 3000, () => true, () => undefined, () => undefined);
    camera.attach(FRAME, []);
    camera.open([point], [0.8, 0.8]);
    return camera;
  };

  it("goes back to the reader's scale about the place that is shown, which stays where it was", () => {
    const camera = over([2000, 1500]);
    camera.reveal([[1200, 1000], [2800, 2000]]);
    expect(camera.scale).toBeLessThan(0.8);
    const before = camera.toScreen([2200, 1600]);
    camera.reveal([[2200, 1600]]);
    expect(camera.scale).toBeCloseTo(0.8);
    const after = camera.toScreen([2200, 1600]);
    expect(after[0]).toBeCloseTo(before[0]);
    expect(after[1]).toBeCloseTo(before[1]);
  });

  it("brings a place far from the frame's edge, so that its neighbours are not under a panel", () => {
    const camera = over([2000, 1500]);
    camera.reveal([[2900, 2200]]);
    const [x, y] = camera.toScreen([2900, 2200]);
    expect(x).toBeCloseTo(860);
    expect(y).toBeCloseTo(680);
  });
});
