/** The matches this browser holds a token for. */

export interface Ticket {
  id: string;
  game: string;
  /** The token this browser plays with. */
  token: string;
  /** The token of whoever made the match: it may take the journal away at any time. */
  host: string;
  /** Links for friends: side to token, on the machine that began the match. */
  invitations: Record<string, string>;
}

const KEY = "bulge.matches";

export function tickets(): Ticket[] {
  try {
    const found: unknown = JSON.parse(localStorage.getItem(KEY) ?? "[]");
    return Array.isArray(found) ? found.filter(isTicket) : [];
  } catch {
    return [];
  }
}

function isTicket(value: unknown): value is Ticket {
  const ticket = value as Partial<Ticket> | null;
  return typeof ticket?.id === "string" && typeof ticket.token === "string" && typeof ticket.game === "string";
}

export function keep(ticket: Ticket): void {
  store([ticket, ...tickets().filter((other) => other.id !== ticket.id || other.token !== ticket.token)]);
}

export function forget(id: string): void {
  store(tickets().filter((ticket) => ticket.id !== id));
}

export function ticketOf(id: string, token: string): Ticket | null {
  return tickets().find((ticket) => ticket.id === id && ticket.token === token) ?? null;
}

function store(found: Ticket[]): void {
  localStorage.setItem(KEY, JSON.stringify(found.slice(0, 200)));
}

// ---------------------------------------------------------------------- where one last chose

const SEEN = "bulge.seen";

function seen(): Record<string, number> {
  try {
    return JSON.parse(localStorage.getItem(SEEN) ?? "{}") as Record<string, number>;
  } catch {
    return {};
  }
}

/** The number of choices when this browser last chose in a match; null where it never has. */
export function lastOwnChoice(match: string, { n, side }: { n: number; side: string | null }): number | null {
  const kept = seen()[`${match} ${side}`];
  return kept === undefined ? null : Math.min(n, kept);
}

export function rememberOwnChoice(match: string, { side }: { side: string | null }, n: number): void {
  localStorage.setItem(SEEN, JSON.stringify({ ...seen(), [`${match} ${side}`]: n }));
}

/** From where on the others' last turn was told to this browser. */
export function toldFrom(match: string, { side }: { side: string | null }): number | null {
  return seen()[`${match} ${side} told`] ?? null;
}

export function rememberTold(match: string, { side }: { side: string | null }, n: number): void {
  localStorage.setItem(SEEN, JSON.stringify({ ...seen(), [`${match} ${side} told`]: n }));
}

/** The step at which a guided game stands in this browser; -1 where nobody is guided. */
export function guidedTo(match: string): number {
  return seen()[`${match} guided`] ?? -1;
}

export function rememberGuide(match: string, step: number): void {
  localStorage.setItem(SEEN, JSON.stringify({ ...seen(), [`${match} guided`]: step }));
}
