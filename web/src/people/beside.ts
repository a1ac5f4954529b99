/** What lies over the rail at a table of people; nothing while one plays. */
export type Beside = "" | "talk" | "notes" | "table";
