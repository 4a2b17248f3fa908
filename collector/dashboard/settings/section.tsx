import type { ComponentChildren } from 'preact';
import { Box } from '../components/box.tsx';
import { changedParts } from '../model/settings-diff.ts';
import { texts } from '../text/settings.ts';
import { useEditor } from './editor.ts';

/** The parts of the document that a section edits. */
const PARTS = {
  targets: ['targets'],
  probes: ['probes'],
  alerts: ['alerts'],
  reports: ['reports'],
  data: ['retention', 'privacy', 'delivery'],
} as const satisfies Partial<Record<keyof typeof texts.sections, readonly string[]>>;

/** The title of the section in which a part of the document is edited. */
export function findSection(part: string): string {
  const [name] = Object.entries(PARTS).find(([, parts]) => (parts as readonly string[]).includes(part)) ?? [];
  return name === undefined ? part : texts.sections[name as keyof typeof PARTS].title;
}

interface SectionProps {
  readonly name: keyof typeof PARTS;
  readonly children: ComponentChildren;
}

/** A section of the form, marked while it has unsaved changes. */
export function Section({ name, children }: SectionProps) {
  const { base, draft } = useEditor();
  const { title, intro } = texts.sections[name];
  const parts: readonly string[] = PARTS[name];
  const isChanged = changedParts(base.value.document, draft.value).some((part) => parts.includes(part));
  return (
    <Box
      title={title}
      intro={
        <>
          {isChanged ? <span class="badge unsaved">{texts.saving.unsaved}</span> : null}
          {intro}
        </>
      }
    >
      {children}
    </Box>
  );
}
