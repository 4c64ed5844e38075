/**
 * node sum.js FAILED_GATES REPORT…: adds up vitest's JSON reports; names each test that failed, prints `N passed, N failed` last,
 * exits 1 on a failure.
 */
import { existsSync, readFileSync } from 'node:fs';
import { relative } from 'node:path';

const failedGates = Number(process.argv[2]);
const reports = process.argv.slice(3).map((path) => (existsSync(path) ? JSON.parse(readFileSync(path, 'utf8')) : null));

let passed = 0;
let failed = 0;
const ran = new Set();
const skipped = new Set();

const firstLine = (text) => text.split('\n', 1)[0].slice(0, 300);

for (const report of reports) {
  if (report === null) {
    console.log('failed: a run ended before its tests');
    failed += 1;
    continue;
  }
  for (const file of report.testResults) {
    for (const test of file.assertionResults) {
      const name = `${file.name} > ${test.fullName}`;
      if (test.status === 'passed' || test.status === 'failed') ran.add(name);
      else skipped.add(name);
      if (test.status === 'passed') passed += 1;
      if (test.status === 'failed') {
        failed += 1;
        console.log(
          `failed: ${relative('.', file.name)} > ${test.fullName}: ${firstLine(test.failureMessages?.[0] ?? '')}`,
        );
      }
    }
    // A file that could not be loaded holds no tests, and a hook can fail beside tests that passed.
    if (file.status === 'failed' && !file.assertionResults.some((test) => test.status === 'failed')) {
      console.log(`failed: ${relative('.', file.name)}`);
      failed += 1;
    }
  }
}

for (const name of [...skipped].filter((test) => !ran.has(test))) {
  console.log(`skipped in every run: ${name}`);
  failed += 1;
}
failed = Math.max(failed, failedGates);

console.log(`${passed} passed, ${failed} failed`);
process.exitCode = failed === 0 ? 0 : 1;
