// Builds the page from index.html and www/. The built site works on any host and in any folder.

import { defineConfig, type Plugin } from "vite";

// The headers that a page needs to share memory between threads.
const isolation = {
  "Cross-Origin-Opener-Policy": "same-origin",
  "Cross-Origin-Embedder-Policy": "require-corp",
};

// Allows only files of the site itself, and no inline scripts.
const policy = [
  "default-src 'none'",
  "script-src 'self' 'wasm-unsafe-eval'",
  "worker-src 'self'",
  "connect-src 'self'",
  "style-src 'self'",
  "img-src 'self' data: blob:",
  "font-src 'self'",
  "manifest-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
].join("; ");

// Only for the built site: the development server adds scripts of its own.
const contentSecurityPolicy: Plugin = {
  name: "content-security-policy",
  apply: "build",
  transformIndexHtml: () => [
    { tag: "meta", attrs: { "http-equiv": "Content-Security-Policy", content: policy }, injectTo: "head-prepend" },
  ],
};

export default defineConfig({
  base: "./",
  publicDir: "www/public",
  plugins: [contentSecurityPolicy],
  worker: { format: "es" },
  build: {
    target: "esnext",
    modulePreload: { polyfill: false },
    // No inlined files, so that the policy above can be strict.
    assetsInlineLimit: 0,
    rolldownOptions: {
      output: {
        // What every visit needs comes in one file: dozens of small ones compress badly and take longer to load.
        codeSplitting: {
          groups: [
            // Modules that only some visits need (after "?!") are left out. `preload-helper` is Vite's own.
            { name: "page", test: /preload-helper|www\/(core|ui)\/(?!dialog|gallery|help|slider\.)/ },
            // The lab that a first visit opens.
            { name: "control", test: /www\/labs\/control\// },
          ],
        },
      },
    },
  },
  server: { headers: isolation },
  preview: { headers: isolation },
});
