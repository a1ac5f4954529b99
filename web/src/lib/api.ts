/** Requests over HTTP. */

import { words } from "./words";
import type { Line } from "./live";
import type { Admission, Board, DrawingInfo, GameInfo, Look, MatchSummary, NewMatch, ReviewState, Rule, State, Telling } from "./protocol";

const BASE = "api";
/** Of the log, what is new to this page; of all that is new, the newest part. */
const NEW = "events=new";

/** What the server refused, in its own words. */
export class Refused extends Error {
  /** As HTTP numbers it; 0 where there was no answer. */
  constructor(message: string, readonly status = 0) {
    super(message);
  }
}

export async function ask<T>(path: string, init?: RequestInit): Promise<T> {
  return (await (await answered(path, init)).json()) as T;
}

async function answered(path: string, init?: RequestInit): Promise<Response> {
  let answer: Response;
  try {
    answer = await fetch(`${BASE}/${path}`, init);
  } catch {
    throw new Refused(words.noServer);
  }
  if (!answer.ok) throw new Refused(await reason(answer), answer.status);
  return answer;
}

async function reason(answer: Response): Promise<string> {
  const body: unknown = await answer.json().catch(() => null);
  if (body && typeof body === "object" && "words" in body && typeof body.words === "string") return body.words;
  return words.serverSaid(answer.status);
}

export function send(body: string, method = "POST"): RequestInit {
  return { method, headers: { "Content-Type": "application/json" }, body };
}

export const api = {
  games: () => ask<GameInfo[]>("games"),
  look: (id: string, token: string) => ask<Look>(`matches/${id}/look`, by(token)),
  rules: (game: string) => ask<Rule[]>(`games/${game}/rules`),
  mapAddress: (game: string) => `${BASE}/games/${game}/map.svg`,
  pictureAddress: (game: string) => `${BASE}/games/${game}/map.webp`,
  drawings: () => ask<DrawingInfo[]>("games/drawings"),
  tileAddress: (game: string, shrunk: number, column: number, row: number) => `${BASE}/games/${game}/tiles/${shrunk}/${column}/${row}`,
  board: (game: string) => ask<Board>(`games/${game}/board`),
  create: (wish: NewMatch) => ask<Admission>("matches", send(JSON.stringify(wish))),
  importJournal: (text: string) => ask<Admission>("matches/import", send(text)),
  matches: (tokens: string[]) =>
    tokens.length ? ask<MatchSummary[]>("matches", { headers: { "X-Tokens": tokens.join(",") } }) : Promise.resolve([]),
  state: (id: string, token: string) => ask<State>(`matches/${id}?${NEW}`, by(token)),
  journal: async (id: string, token: string, before = false) =>
    (await answered(`matches/${id}/journal${before ? "?before=true" : ""}`, by(token))).text(),
  keep: (id: string, token: string, kept: boolean) =>
    ask<{ kept: boolean }>(`matches/${id}/kept`, { ...send(JSON.stringify({ kept }), "PUT"), headers: { "Content-Type": "application/json", "X-Token": token } }),
  remove: (id: string, token: string) => ask(`matches/${id}`, { ...by(token), method: "DELETE" }),
  replay: (id: string, token: string, n: number) => ask<State>(`matches/${id}/replay/${n}?${NEW}`, by(token)),
  branch: (id: string, token: string, n: number) => ask<Admission>(`matches/${id}/branch/${n}`, { ...by(token), method: "POST" }),
  keptGame: async (game: string, number: string) => (await answered(`atlas/${encodeURIComponent(game)}/${encodeURIComponent(number)}`)).text(),
  review: (id: string, token: string) => ask<ReviewState>(`matches/${id}/review`, by(token)),
  told: (id: string, token: string, since: number, overlays: string[]) =>
    ask<Telling>(`matches/${id}/told/${since}?overlays=${overlays.join(",")}`, by(token)),
  line: (id: string, token: string): Line => {
    const address = new URL(`${BASE}/matches/${id}/live?${NEW}`, document.baseURI);
    address.protocol = address.protocol.replace("http", "ws");
    return { address: address.href, protocols: token ? ["bulge", `token.${token}`] : [] };
  },
};

/** A token goes in a header, never in an address, which is written down on its way. */
function by(token: string): RequestInit {
  return token ? { headers: { "X-Token": token } } : {};
}
