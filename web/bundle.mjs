// Bundles the page into one file, dist/page.html; the program replaces a marker in it with its data.
import { build } from 'esbuild';
import { deflateSync } from 'node:zlib';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';

const here = (path) => new URL(path, import.meta.url);

const bundle = await build({
  entryPoints: [here('src/main.ts').pathname],
  bundle: true,
  minify: true,
  format: 'iife',
  target: 'es2022',
  legalComments: 'inline',
  write: false,
});

const css = readFileSync(here('src/page.css'), 'utf8') +
  readFileSync(here('node_modules/uplot/dist/uPlot.min.css'), 'utf8');
const wasm = deflateSync(readFileSync(here('../build/web/bin/linkwork.wasm')), { level: 9 });
const parts = {
  STYLE: css,
  WASM: wasm.toString('base64'),
  SCRIPT: bundle.outputFiles[0].text.replaceAll('</script', '<\\/script'),
};
const html = readFileSync(here('src/page.html'), 'utf8')
  .replace(/@(STYLE|WASM|SCRIPT)@/g, (_, name) => parts[name]);
mkdirSync(here('dist'), { recursive: true });
writeFileSync(here('dist/page.html'), html);
console.log(`web/dist/page.html: ${(html.length / 1e6).toFixed(2)} MB`);
