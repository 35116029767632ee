import { TextInput } from "@mantine/core";
import { useDebouncedCallback } from "@mantine/hooks";
import { useState, type ReactNode } from "react";

const PAUSE_MS = 300;

interface FilterInputProps {
  readonly label: string;
  readonly placeholder: string;
  readonly width?: string;
  /** The value in the address; undefined if there is no filter. */
  readonly value: string | undefined;
  readonly onChange: (value: string | undefined) => void;
}

/** A text input that filters when the user pauses, and follows changes of the address. */
export function FilterInput({ label, placeholder, width, value, onChange }: FilterInputProps): ReactNode {
  const [text, setText] = useState(value ?? "");
  const [reported, setReported] = useState(value);
  const [before, setBefore] = useState(value);
  if (value !== before) {
    setBefore(value);
    // A change from this input comes back late; the user may have typed on.
    if (value !== reported) {
      setReported(value);
      setText(value ?? "");
    }
  }
  const report = useDebouncedCallback((next: string) => {
    const wanted = next === "" ? undefined : next;
    setReported(wanted);
    onChange(wanted);
  }, PAUSE_MS);
  return (
    <TextInput
      size="xs"
      aria-label={label}
      placeholder={placeholder}
      w={width}
      value={text}
      onChange={(event) => {
        setText(event.currentTarget.value);
        report(event.currentTarget.value);
      }}
    />
  );
}
