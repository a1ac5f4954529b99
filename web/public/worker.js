/** Tells of one's turn while no page is open, and leads to the match. */

self.addEventListener("push", (event) => {
  const { title, words, address } = event.data.json();
  const shown = { body: words, data: address, icon: "icon-turn.svg", tag: address };
  event.waitUntil(self.registration.showNotification(title, shown));
});

self.addEventListener("notificationclick", (event) => {
  event.notification.close();
  event.waitUntil(open(new URL(event.notification.data, self.registration.scope).href));
});

/** A page that is open anyway goes there; otherwise a new one does. */
async function open(address) {
  const [page] = await self.clients.matchAll({ type: "window" });
  if (!page) return self.clients.openWindow(address);
  await page.navigate(address);
  return page.focus();
}
