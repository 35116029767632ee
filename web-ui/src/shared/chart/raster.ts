/** Pixels of a picture for each unit of its SVG. */
const DENSITY = 2;

/** Renders an SVG as a PNG. */
export async function rasterized(svg: string): Promise<Blob> {
  const image = new Image();
  image.src = `data:image/svg+xml,${encodeURIComponent(svg)}`;
  await image.decode();
  const canvas = document.createElement("canvas");
  canvas.width = DENSITY * image.naturalWidth;
  canvas.height = DENSITY * image.naturalHeight;
  canvas.getContext("2d")?.drawImage(image, 0, 0, canvas.width, canvas.height);
  return pngOf(canvas);
}

export async function pngOf(canvas: HTMLCanvasElement): Promise<Blob> {
  const picture = await new Promise<Blob | null>((resolve) => {
    canvas.toBlob(resolve, "image/png");
  });
  if (picture === null) {
    throw new Error("The browser lacks memory for a picture of this size.");
  }
  return picture;
}
