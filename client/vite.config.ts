import { svelte } from "@sveltejs/vite-plugin-svelte";
import { defineConfig } from "vitest/config";

// Built into the Python package, which serves it; three.js stays a piece of its own, fetched when somebody looks through an eye.
export default defineConfig({
  plugins: [svelte()],
  base: "./",
  build: {
    outDir: process.env.WARDOGS_CLIENT ?? "../src/wardogs/client",
    emptyOutDir: true,
    target: "es2022",
    assetsInlineLimit: 0, // nothing inline: the server's policy admits files only
    modulePreload: { polyfill: false },
    chunkSizeWarningLimit: 900,
  },
  server: { proxy: { "/api": { target: "http://127.0.0.1:8765", ws: true } } },
  test: { include: ["tests/**/*.test.ts"] },
});
