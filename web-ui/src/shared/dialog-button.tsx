import { Button, Modal, type ButtonProps } from "@mantine/core";
import { useState, type ReactNode } from "react";

interface DialogButtonProps extends Omit<ButtonProps, "children"> {
  readonly label: string;
  /** Name of the button if the label alone is ambiguous; contains the words of the label. */
  readonly ariaLabel?: string;
  readonly title: string;
  readonly children: (close: () => void) => ReactNode;
}

/** A button that opens a dialog; closing the dialog discards its content. */
export function DialogButton({ label, ariaLabel, title, children, ...button }: DialogButtonProps): ReactNode {
  const [isOpen, setOpen] = useState(false);
  const close = (): void => {
    setOpen(false);
  };
  return (
    <>
      <Button
        size="xs"
        {...button}
        aria-label={ariaLabel}
        onClick={() => {
          setOpen(true);
        }}
      >
        {label}
      </Button>
      {/* A click beside the dialog must not lose content that is shown only once. */}
      <Modal opened={isOpen} onClose={close} title={title} closeOnClickOutside={false}>
        {isOpen && children(close)}
      </Modal>
    </>
  );
}
