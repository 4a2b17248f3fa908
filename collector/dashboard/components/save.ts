/** Downloads a file under a name that is valid on every file system. */
export function saveFile(name: string, content: Blob): void {
  const url = URL.createObjectURL(content);
  const link = Object.assign(document.createElement('a'), { href: url, download: fileName(name) });
  document.body.append(link);
  link.click();
  link.remove();
  // By then the download has its own reference to the content.
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
}

/** Letters, digits and dots of the name, at most 100: `erp.example.com – documents` → `erp.example.com-documents`. */
export function fileName(text: string): string {
  const clean = text
    .normalize('NFC')
    .replace(/[^\p{L}\p{N}.]+/gu, '-')
    .replace(/^[-.]+|[-.]+$/g, '');
  return [...clean].slice(0, 100).join('') || 'lastbyte';
}

/** Copies text to the clipboard; false if the browser refuses. Without https only the legacy API works. */
export async function copyText(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return copyBySelection(text);
  }
}

function copyBySelection(text: string): boolean {
  const focused = document.activeElement;
  const field = Object.assign(document.createElement('textarea'), { className: 'spoken', tabIndex: -1, value: text });
  field.setAttribute('aria-hidden', 'true');
  document.body.append(field);
  field.select();
  // The only way on plain http: https://developer.mozilla.org/docs/Web/API/Clipboard_API#security_considerations
  const copied = document.execCommand('copy');
  field.remove();
  if (focused instanceof HTMLElement) focused.focus();
  return copied;
}
