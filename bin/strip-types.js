/** Loaded where Kith is installed below node_modules, where Node strips no types by itself: does it for Kith's own files. Needs Node 24. */
import { readFileSync } from 'fs';
import { registerHooks, stripTypeScriptTypes } from 'module';
import { fileURLToPath } from 'url';

// The first call says that it is experimental, once; that is no news for whoever runs Kith.
const emitWarning = process.emitWarning;
process.emitWarning = () => {};
stripTypeScriptTypes('');
process.emitWarning = emitWarning;

const sources = new URL('../src/', import.meta.url).href;
registerHooks({
  load(url, context, nextLoad) {
    if (!url.startsWith(sources) || !url.endsWith('.ts')) return nextLoad(url, context);
    const source = stripTypeScriptTypes(readFileSync(fileURLToPath(url), 'utf8'));
    return { format: 'module', source, shortCircuit: true };
  },
});
