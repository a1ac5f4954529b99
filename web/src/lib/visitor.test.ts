import { afterAll, describe, expect, it, vi } from "vitest";
import type { Me } from "./protocol";

/** As browsers have it: what is kept are properties of it. */
function storage(kept: Record<string, string>): Storage {
  const methods = {
    getItem: (key: string) => kept[key] ?? null,
    setItem: (key: string, value: string) => void (kept[key] = value),
    removeItem: (key: string) => void Reflect.deleteProperty(kept, key),
  };
  return Object.setPrototypeOf(kept, methods) as Storage;
}

describe("who signs out", () => {
  afterAll(() => vi.unstubAllGlobals());

  it("leaves neither what they watched nor their invitations to whoever comes to the browser next", async () => {
    const kept: Record<string, string> = { "bulge.watched": "[]", "bulge.invitation.a": "b", "bulge.settings": "{}" };
    vi.stubGlobal("localStorage", storage(kept));
    vi.stubGlobal("addEventListener", () => undefined);
    vi.stubGlobal("setInterval", () => 0);
    vi.stubGlobal("fetch", () => Promise.reject(new Error("no server")));
    const { visitor } = await import("./visitor.svelte");
    visitor.become({ name: "Anne" } as Me);
    expect(Object.keys(kept)).toHaveLength(3);
    visitor.become(null);
    expect(Object.keys(kept)).toEqual(["bulge.settings"]);
  });
});
