import type { settings } from '../src/config.ts';

/** The reference page of the settings, from the table that the program itself reads them with. */
export function configurationReference(table: typeof settings): string {
  const rows = table.map(
    ({ key, flag, default: value, description }) =>
      `| \`${key}\` | \`${flag}\` | ${value === '' ? 'none' : `\`${value}\``} | ${description.replaceAll('|', '\\|')} |`,
  );
  return `# Configuration

Postil starts with none of these set. A setting is an environment variable, or a flag of \`postil serve\`; where both are
given, the flag counts. A value that makes no sense stops the start, with a message that names every such setting.

| Environment variable | Flag | Default | Meaning |
| --- | --- | --- | --- |
${rows.join('\n')}

This page is made from \`src/config.ts\` by \`npm run generate\`.
`;
}
