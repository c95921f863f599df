import { invalid } from "../../errors/errors.js";
import { functionOf } from "../../input/page-function.js";
import { isSameList } from "./same-list.js";

/**
 * Returns a function that returns what is offered of a field's choices: those that the page accepts, by their names in
 * these texts. It returns the same list again as long as it offers the same. The page's function may look at what has
 * changed meanwhile, so it is called each time.
 */
export function offeredChoices(choices, settings, filterName) {
  functionOf(filterName, settings.filterOptions);
  const offered = new Map();
  return function choicesOf(fieldId, texts) {
    const { options, ...others } = choices.of(fieldId);
    const { filterOptions } = settings;
    const nameOf = ({ id, name }) => texts("options", `${fieldId}.${id}`, texts("options", id, name));
    try {
      const accepted = (options.length > 0 && filterOptions?.(fieldId, options)) || options;
      const key = [texts, ...accepted.flatMap(({ id, name, disabled }) => [id, name, disabled])];
      const before = offered.get(fieldId);
      if (before && isSameList(before.key, key)) return { ...others, options: before.options };
      const named = accepted.map((option) => ({ ...option, name: nameOf(option) }));
      offered.set(fieldId, { key, options: named });
      return { ...others, options: named };
    } catch (cause) {
      const expected = "a function that returns a list of choices";
      return { ...others, options: [], error: invalid("InvalidRequest", filterName, expected, { cause }) };
    }
  };
}
