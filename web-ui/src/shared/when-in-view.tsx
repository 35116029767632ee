import { useEffect, useRef, useState, type ReactNode } from "react";

interface WhenInViewProps {
  /** What is kept free until then, so that nothing moves. */
  readonly height: number;
  /** Draws it, with how many pixels there are across. */
  readonly children: (width: number) => ReactNode;
}

/** How far below the view it is already drawn. */
const AHEAD = "200px";

/** What is neither read nor drawn before somebody comes near it. */
export function WhenInView({ height, children }: WhenInViewProps): ReactNode {
  const frame = useRef<HTMLDivElement>(null);
  const [width, setWidth] = useState<number | null>(null);

  useEffect(() => {
    const place = frame.current;
    if (place === null) {
      return;
    }
    const watch = new IntersectionObserver(
      (entries) => {
        const seen = entries.find(({ isIntersecting }) => isIntersecting);
        if (seen) {
          setWidth(seen.boundingClientRect.width);
          watch.disconnect();
        }
      },
      { rootMargin: AHEAD },
    );
    watch.observe(place);
    return () => {
      watch.disconnect();
    };
  }, []);

  return (
    <div ref={frame} style={{ minHeight: height, minWidth: 0 }}>
      {width !== null && children(width)}
    </div>
  );
}
