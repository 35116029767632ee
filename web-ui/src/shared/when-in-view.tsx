import { useEffect, useRef, useState, type ReactNode } from "react";

interface WhenInViewProps {
  /** Height that is reserved before the content is rendered, so that nothing moves. */
  readonly height: number;
  /** Renders the content, given the width in pixels. */
  readonly children: (width: number) => ReactNode;
}

/** Distance below the view at which rendering begins. */
const AHEAD = "200px";

/** Delays reading and rendering until the content is near the view. */
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
