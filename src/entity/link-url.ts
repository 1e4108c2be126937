/** Schemes that run in the page that shows the link: stored XSS (reliability-security section 3.1). */
const runningSchemes: ReadonlySet<string> = new Set([
  'javascript:',
  'data:',
  'vbscript:',
  'blob:',
  'view-source:',
]);

/** What to do about a link that is refused; stands behind the contract's sentence. */
export const linkUrlHint =
  'Send an absolute url such as https://example.org/page, without javascript:, data: or vbscript:.';

/**
 * Whether a link may be stored: an absolute URL as browsers read it, leading control characters and line breaks inside
 * the scheme included, that opens a page instead of running something.
 */
export function isLinkUrl(text: string): boolean {
  const url = URL.parse(text);
  return url !== null && !runningSchemes.has(url.protocol);
}

/**
 * Whether following the link runs something. Ingested links need not be urls, so only this is refused of them, at every
 * door: whoever shows links trusts what is stored.
 */
export function isRunningUrl(text: string): boolean {
  if (text.startsWith('https://') || text.startsWith('http://')) return false;
  const url = URL.parse(text);
  return url !== null && runningSchemes.has(url.protocol);
}
