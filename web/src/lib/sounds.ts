/** Two sounds, made on the spot: a knock for dice, a tone for one's turn. */

import { settings } from "./settings.svelte";

let context: AudioContext | null = null;

function note(frequency: number, length: number, type: OscillatorType): void {
  if (!settings.sound) return;
  context ??= new AudioContext();
  const [voice, volume, now] = [context.createOscillator(), context.createGain(), context.currentTime];
  voice.type = type;
  voice.frequency.value = frequency;
  volume.gain.setValueAtTime(0.12, now);
  volume.gain.exponentialRampToValueAtTime(0.001, now + length);
  voice.connect(volume).connect(context.destination);
  voice.start(now);
  voice.stop(now + length);
}

export const knock = () => note(140, 0.12, "square");
export const chime = () => note(660, 0.5, "sine");
