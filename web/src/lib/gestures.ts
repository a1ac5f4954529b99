/** Mouse, touch and wheel on the map: drag, pinch, tap, and the long press that asks why not. */

import type { Camera } from "./camera";

export interface Hands {
  /** A pointer comes down: what is seen there now is meant, wherever the map goes before it is let go. */
  press(x: number, y: number, target: Element): void;
  tap(x: number, y: number, how: { alt: boolean; touch: boolean }): void;
  ask(x: number, y: number, target?: Element): void;
  hover(x: number, y: number, target: Element): void;
  leave(): void;
  /** Whether this is a counter that may be dragged to where it should go. */
  grab(target: Element): boolean;
  drag(x: number, y: number): void;
  /** It is let go, or the hand was taken away. */
  drop(at: [number, number] | null): void;
}

const LONG_PRESS = 550;
const STILL = 7;

export function gestures(frame: HTMLElement, camera: Camera, hands: Hands): () => void {
  const fingers = new Map<number, PointerEvent>();
  let wandered = 0;
  let pressed: ReturnType<typeof setTimeout> | undefined;
  let asked = false;
  let grabbed = false;

  const down = (event: PointerEvent) => {
    if (!(event.target instanceof Element) || event.target.closest("[data-panel]") || event.button > 0) return;
    if (!fingers.size) [wandered, asked] = [0, false];
    fingers.set(event.pointerId, event);
    const target = event.target;
    camera.hold();
    if (fingers.size === 1) hands.press(event.clientX, event.clientY, target);
    grabbed = fingers.size === 1 && event.pointerType === "mouse" && hands.grab(target);
    clearTimeout(pressed);
    if (fingers.size === 1 && event.pointerType !== "mouse")
      pressed = setTimeout(() => {
        asked = true;
        hands.ask(event.clientX, event.clientY);
      }, LONG_PRESS);
  };

  const move = (event: PointerEvent) => {
    const last = fingers.get(event.pointerId);
    if (!last) {
      if (event.pointerType !== "mouse" || !(event.target instanceof Element) || !frame.contains(event.target)) return;
      if (event.target.closest("[data-panel]")) hands.leave();
      else hands.hover(event.clientX, event.clientY, event.target);
      return;
    }
    const [dx, dy] = [event.clientX - last.clientX, event.clientY - last.clientY];
    wandered += Math.abs(dx) + Math.abs(dy);
    if (wandered > STILL) {
      clearTimeout(pressed);
      const other = [...fingers.values()].find((finger) => finger.pointerId !== event.pointerId);
      if (grabbed) hands.drag(event.clientX, event.clientY);
      else if (other) pinch(camera, last, event, other);
      else camera.pan(dx, dy);
      frame.classList.add("drag");
    }
    fingers.set(event.pointerId, event);
  };

  const up = (event: PointerEvent) => {
    clearTimeout(pressed);
    const down = fingers.get(event.pointerId);
    fingers.delete(event.pointerId);
    frame.classList.remove("drag");
    if (down && grabbed && wandered > STILL) hands.drop(event.type === "pointerup" ? [event.clientX, event.clientY] : null);
    grabbed = false;
    if (!down || event.type === "pointercancel" || wandered > STILL || asked) return;
    hands.tap(event.clientX, event.clientY, { alt: event.altKey, touch: event.pointerType === "touch" });
  };

  const wheel = (event: WheelEvent) => {
    if (event.target instanceof Element && event.target.closest("[data-panel]")) return;
    event.preventDefault();
    const pixels = event.deltaMode === WheelEvent.DOM_DELTA_LINE ? event.deltaY * 16 : event.deltaY;
    camera.zoom(Math.exp(-pixels * (event.ctrlKey ? 0.008 : 0.0014)), event.clientX, event.clientY);
  };

  const menu = (event: MouseEvent) => {
    if (!(event.target instanceof Element) || event.target.closest("[data-panel]")) return;
    event.preventDefault();
    if (!asked) hands.ask(event.clientX, event.clientY, event.target);
  };

  const leave = (event: PointerEvent) => event.pointerType === "mouse" && hands.leave();
  frame.addEventListener("pointerdown", down);
  frame.addEventListener("pointerleave", leave);
  frame.addEventListener("wheel", wheel, { passive: false });
  frame.addEventListener("contextmenu", menu);
  addEventListener("pointermove", move);
  addEventListener("pointerup", up);
  addEventListener("pointercancel", up);
  return () => {
    clearTimeout(pressed);
    frame.removeEventListener("pointerdown", down);
    frame.removeEventListener("pointerleave", leave);
    frame.removeEventListener("wheel", wheel);
    frame.removeEventListener("contextmenu", menu);
    removeEventListener("pointermove", move);
    removeEventListener("pointerup", up);
    removeEventListener("pointercancel", up);
  };
}

function pinch(camera: Camera, last: PointerEvent, now: PointerEvent, other: PointerEvent): void {
  const before = Math.hypot(last.clientX - other.clientX, last.clientY - other.clientY) || 1;
  const after = Math.hypot(now.clientX - other.clientX, now.clientY - other.clientY);
  camera.pan((now.clientX - last.clientX) / 2, (now.clientY - last.clientY) / 2);
  camera.zoom(after / before, (now.clientX + other.clientX) / 2, (now.clientY + other.clientY) / 2);
}
