import { describe, expect, it } from "vitest";
import { arrowOf, viewOf } from "./smallmap";

describe("the small map of a match", () => {
  const tall = { width: 1900, height: 3000 };

  it("shows the last move, wherever on the map it was", () => {
    expect(viewOf({ ...tall, move: [900, 1500, 1100, 1700] })).toBe("0 1020 1900 1160");
    expect(viewOf({ ...tall, move: [900, 2900, 1100, 2950] })).toBe("0 1840 1900 1160");
    expect(viewOf({ ...tall, move: [900, 100, 1100, 50] })).toBe("0 0 1900 1160");
  });

  it("shows the upper part of a map before anybody has moved", () => {
    expect(viewOf({ ...tall, move: null })).toBe("0 552 1900 1160");
    expect(arrowOf({ ...tall, move: null })).toBeNull();
  });

  it("has an arrow from where the move began to where it ended", () => {
    expect(arrowOf({ ...tall, move: [100, 500, 700, 500] })).toEqual({ shaft: "M100 500L634 500", head: "M700 500L601 548L601 452Z", wide: 24 });
  });

  it("has a head that can be seen for a move of one hex", () => {
    expect(arrowOf({ ...tall, move: [100, 500, 100, 450] })?.head).toBe("M100 450L135 522L65 522Z");
  });
});
