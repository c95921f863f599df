/** Returns a field with its words in the page's texts. */
export function localizedField(field, texts) {
  const { fieldId, name, label, hintText, placeholderText } = field;
  const own = {
    label: texts("fields", fieldId, label || name),
    hintText: texts("hints", fieldId, hintText),
    placeholderText: texts("placeholders", fieldId, placeholderText),
  };
  // The service's would be in another language than an own label.
  const isLeft = own.label !== (label || name) && own.placeholderText === placeholderText;
  return { ...field, ...own, placeholderText: isLeft ? undefined : own.placeholderText };
}
