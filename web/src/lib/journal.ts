/** A match as a file. It is asked for with its token in a header, so a plain link cannot fetch it. */

import { api } from "./api";

export async function takeJournal(match: { game: string; id: string; token: string }, before = false): Promise<void> {
  const { game, id, token } = match;
  const file = new Blob([await api.journal(id, token, before)], { type: "application/json" });
  const link = document.createElement("a");
  link.href = URL.createObjectURL(file);
  link.download = `${game}-${id}${before ? "-before" : ""}.json`;
  link.click();
  URL.revokeObjectURL(link.href);
}
