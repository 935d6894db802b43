// What Vite makes of docs/glossary.md, by scripts/glossary.mjs.

declare module "*glossary.md?words" {
  const words: import("../scripts/glossary.mjs").Words[];
  export default words;
}

declare module "*glossary.md?terms" {
  const terms: import("../scripts/glossary.mjs").Term[];
  export default terms;
}
