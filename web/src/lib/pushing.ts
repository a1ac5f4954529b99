/** This browser, as something that can be told while no page is open. */

import { said } from "./said";

export function canPush(): boolean {
  return "serviceWorker" in navigator && "PushManager" in window && "Notification" in window;
}

/** The endpoint that this browser fetches its pushes from, if it subscribed. */
export async function endpointHere(): Promise<string | null> {
  if (!canPush()) return null;
  const found = await navigator.serviceWorker.getRegistration();
  return (await found?.pushManager.getSubscription())?.endpoint ?? null;
}

/** Subscribe, and say how this browser is reached. */
export async function subscribe(key: string): Promise<string> {
  if ((await Notification.requestPermission()) !== "granted") throw new Error(said.pushRefused);
  await navigator.serviceWorker.register("./worker.js");
  const { pushManager } = await navigator.serviceWorker.ready;
  const kept = await pushManager.getSubscription();
  const subscription = kept ?? (await pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: key }));
  return JSON.stringify(subscription.toJSON());
}

export async function unsubscribe(): Promise<void> {
  const found = await navigator.serviceWorker.getRegistration();
  await (await found?.pushManager.getSubscription())?.unsubscribe();
}
