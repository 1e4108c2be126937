import type { Setting } from '../src/config.ts';

/** The reference page of the settings, from the table that the program itself reads them with. */
export function configurationReference(settings: readonly Setting[]): string {
  const rows = settings.map(({ variable, flag, default: value, description }) => {
    const shown = value === undefined ? 'none' : `\`${value}\``;
    return `| \`${variable}\` | \`${flag}\` | ${shown} | ${description.replaceAll('|', '\\|')} |`;
  });
  return `# Configuration

Postil starts with none of these set. A setting is an environment variable, or a flag of \`postil serve\`; where both are
given, the flag counts. Settings that make no sense stop the start, and the message names all of them.

| Environment variable | Flag | Default | Meaning |
| --- | --- | --- | --- |
${rows.join('\n')}

This page is made from \`src/config.ts\` by \`npm run generate\`.
`;
}
