// `button` is what tries again. Colors without a theme are the system's, which follow the page's color-scheme.
export const RULES = `
:host { display: block; position: relative; color: var(--remit-text, inherit); font-family: var(--remit-font, inherit) }
:host([hidden]), [hidden] { display: none !important }
fieldset, legend, h2 { border: 0; margin: 0; padding: 0; min-width: 0; font: inherit }
fieldset + fieldset { margin-block-start: 1.5em }
legend { font-weight: 600; margin-block-end: .75em }
.quiet { position: absolute; inset-block-start: 0; clip-path: inset(50%); width: 1px; height: 1px; overflow: hidden;
  white-space: nowrap }
[part=field] { margin-block-end: 1em }
[part=head] { margin-block-end: .25em }
[part=optional], [part=hint] { color: var(--remit-text-secondary, inherit); font-size: .875em }
[part=box] { display: flex; border: 1px solid var(--remit-input-line, #767676);
  border-radius: var(--remit-button-radius, 4px) }
[part=box], option { background: var(--remit-foreground, Field); color: var(--remit-text, FieldText) }
[part=box]:focus-within { outline: 2px solid var(--remit-primary, Highlight); outline-offset: 1px }
[part=box]:has([aria-invalid=true]) { border-color: var(--remit-danger, currentColor);
  box-shadow: 0 0 0 1px var(--remit-danger, currentColor) }
[part=prefix] { align-self: center; padding-inline-start: .75em }
[part=box]:has([part=prefix]:not([hidden])) { direction: ltr }
[part~=control] { flex: 1; min-width: 0; min-height: 2.75em; border: 0; padding: 0 .75em; background: none;
  color: inherit; font: inherit; outline: 0 }
select[part~=control] { margin-inline-end: .5em }
p { margin: .25em 0 0 }
:is(label, legend, h2, p, a, option) { unicode-bidi: plaintext; text-align: -webkit-match-parent; text-align: match-parent }
[part=problem], [part=load-error] { color: var(--remit-danger, inherit); font-weight: 600 }
[part=warning] { color: var(--remit-warning, #7a5200) }
@supports (color: light-dark(#000, #fff)) {
  [part=warning] { color: var(--remit-warning, light-dark(#7a5200, #ffc766)) }
}
[part=warning]::before { content: "⚠\uFE0E\u00A0"; content: "⚠\uFE0E\u00A0" / "" }
[part=complaint] { border: 2px dashed; padding: .75em; margin: 0 0 1em; font: 1em monospace; overflow-wrap: anywhere }
button { min-height: 2.25em; margin-block-start: .25em; font: inherit }
`;

export const AMOUNT_RULES = `
[part=row] { margin-block-end: 1em }
[part=label] { display: block; margin-block-end: .25em }
[part=currency] { display: flex; align-items: center; padding-inline-end: .75em; font-weight: 600 }
[part~=control] { font-size: 1.25em }
[data-stale] { opacity: .6 }
`;
