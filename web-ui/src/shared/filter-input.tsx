import { TextInput } from "@mantine/core";
import { useDebouncedCallback } from "@mantine/hooks";
import { useState, type ReactNode } from "react";

const PAUSE_MS = 300;

interface FilterInputProps {
  readonly label: string;
  readonly placeholder: string;
  readonly width?: string;
  /** What the address says; nothing where all are let through. */
  readonly value: string | undefined;
  readonly onChange: (value: string | undefined) => void;
}

/** A text that filters as soon as its writer pauses, and takes another where the address comes to say another. */
export function FilterInput({ label, placeholder, width, value, onChange }: FilterInputProps): ReactNode {
  const [text, setText] = useState(value ?? "");
  const [told, setTold] = useState(value);
  const [before, setBefore] = useState(value);
  if (value !== before) {
    setBefore(value);
    // What was told from here comes back late: its writer may have gone on.
    if (value !== told) {
      setTold(value);
      setText(value ?? "");
    }
  }
  const tell = useDebouncedCallback((next: string) => {
    const wanted = next === "" ? undefined : next;
    setTold(wanted);
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
        tell(event.currentTarget.value);
      }}
    />
  );
}
