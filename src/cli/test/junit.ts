/** One case of a JUnit report; several failures are one text. */
export type JunitCase = {
  readonly suite: string;
  readonly name: string;
  /** Absent: it passed. */
  readonly failure?: string;
};

/** A JUnit report, which CI servers read; suites in the order in which they first occur. */
export function junitOf(cases: readonly JunitCase[]): string {
  const suites = [...new Set(cases.map(({ suite }) => suite))].map((suite) => {
    const own = cases.filter((each) => each.suite === suite);
    const failures = own.filter(({ failure }) => failure !== undefined).length;
    const rows = own.map(({ name, failure }) => {
      const start = `    <testcase classname="${escaped(suite)}" name="${escaped(name)}"`;
      if (failure === undefined) return `${start}/>`;
      const [first = ''] = failure.split('\n', 1);
      return `${start}>\n      <failure message="${escaped(first)}">${escaped(failure)}</failure>\n    </testcase>`;
    });
    const head = `  <testsuite name="${escaped(suite)}" tests="${own.length}" failures="${failures}">`;
    return [head, ...rows, '  </testsuite>'].join('\n');
  });
  const failed = cases.filter(({ failure }) => failure !== undefined).length;
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites tests="${cases.length}" failures="${failed}">`,
    ...suites,
    '</testsuites>\n',
  ].join('\n');
}

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  '\n': '&#10;',
};

/** Text as it can stand in XML 1.0; characters that it cannot hold are replaced. */
function escaped(text: string): string {
  return text
    .replaceAll(/[^\t\n\r\u{20}-\u{d7ff}\u{e000}-\u{fffd}\u{10000}-\u{10ffff}]/gu, '\ufffd')
    .replaceAll(/[&<>"\n]/g, (character) => entities[character] ?? character);
}
