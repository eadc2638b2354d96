// Small sounds, made on the spot: no files to fetch. Off unless somebody wants them.

import { settings } from "../lib/settings.svelte";

type Kind = "dice" | "move" | "turn";
let context: AudioContext | null = null;

function knock(at: number, pitch: number, length: number, loud: number): void {
  if (!context) return;
  const tone = context.createOscillator();
  const fade = context.createGain();
  tone.type = "triangle";
  tone.frequency.setValueAtTime(pitch, at);
  tone.frequency.exponentialRampToValueAtTime(pitch * 0.6, at + length);
  fade.gain.setValueAtTime(loud, at);
  fade.gain.exponentialRampToValueAtTime(0.001, at + length);
  tone.connect(fade).connect(context.destination);
  tone.start(at);
  tone.stop(at + length);
}

export function sound(kind: Kind): void {
  if (!settings.sounds || document.visibilityState !== "visible") return;
  context ??= new AudioContext();
  const now = context.currentTime;
  if (kind === "dice") for (const k of [0, 1, 2, 3]) knock(now + k * 0.07, 420 - k * 40, 0.05, 0.12);
  else if (kind === "move") knock(now, 180, 0.08, 0.14);
  else for (const k of [0, 1]) knock(now + k * 0.14, 520 + k * 180, 0.16, 0.1);
}
