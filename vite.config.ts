// The page is index.html and www/. What is built works from any host and any folder of it.

import { defineConfig, type Plugin } from "vite";

// A page needs both to share memory between threads.
const isolation = {
  "Cross-Origin-Opener-Policy": "same-origin",
  "Cross-Origin-Embedder-Policy": "require-corp",
};

// Nothing from anywhere else, and no code that is not in a file of the site.
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

// Only in what is built: the development server puts its own scripts into the page.
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
    // Files stay files, so that the policy above can be strict.
    assetsInlineLimit: 0,
  },
  server: { headers: isolation },
  preview: { headers: isolation },
});
