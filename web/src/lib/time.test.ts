import { describe, expect, it } from "vitest";
import { clockOf, span, whenWas } from "./time";

describe("times", () => {
  const now = new Date(2026, 10, 16, 0, 30);
  const ago = (minutes: number) => new Date(now.getTime() - minutes * 60_000).toISOString();

  it("say yesterday for what was before midnight", () => {
    expect(whenWas(ago(10), now)).toMatch(/^today/);
    expect(whenWas(ago(45), now)).toMatch(/^yesterday/);
    expect(whenWas(ago(3 * 24 * 60), now)).toMatch(/13/);
  });

  it("are as long as they need to be", () => {
    const minute = 60_000;
    expect([52 * 60, 9 * 60 + 59, 12, -5].map((minutes) => span(minutes * minute))).toEqual(["2 d 4 h", "9 h", "12 min", "0 min"]);
  });

  it("run short in the last quarter", () => {
    const hours = (count: number) => new Date(now.getTime() + count * 3_600_000).toISOString();
    expect(clockOf(hours(18), 3, now.getTime())).toMatchObject({ share: 0.25, short: false });
    expect(clockOf(hours(17), 3, now.getTime()).short).toBe(true);
    expect(clockOf(hours(-1), 3, now.getTime())).toMatchObject({ left: 0, short: true });
  });
});
