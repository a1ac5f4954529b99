/** What can lie over the board. */
export type Page = "menu" | "text" | "rules" | "charts" | "luck" | "boxes" | "replay" | "keys" | "settings" | "briefing" | "options";
