import { Button, Modal, type ButtonProps } from "@mantine/core";
import { useState, type ReactNode } from "react";

interface DialogButtonProps extends Omit<ButtonProps, "children"> {
  readonly label: string;
  /** Names the button where the label alone does not tell of what it is, and has the label's words in it. */
  readonly ariaLabel?: string;
  readonly title: string;
  readonly children: (close: () => void) => ReactNode;
}

/** A button and the dialog that it opens, which forgets what was in it when it is closed. */
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
      {/* What is shown once is not lost by a click beside it. */}
      <Modal opened={isOpen} onClose={close} title={title} closeOnClickOutside={false}>
        {isOpen && children(close)}
      </Modal>
    </>
  );
}
