// What part of a large grid is seen: the cell in the middle of the picture, and the size of a cell. Positions on the
// picture are in CSS pixels from its upper left corner, positions on the grid in cells.

/** The largest size of a cell in CSS pixels. */
const MAX_CELL_SIZE = 40;
/** At the smallest size of a cell, the grid fills this share of the picture. */
const MIN_PICTURE_SHARE = 0.9;

export class Camera {
  /** The position on the grid in the middle of the picture. */
  x = 0;
  y = 0;
  /** CSS pixels of a cell. */
  scale = 1;
  #width = 1;
  #height = 1;
  #size = 1;

  /** Shows the whole grid of `size` cells in a row. */
  showAll(size: number): void {
    this.#size = size;
    this.scale = this.minScale;
    [this.x, this.y] = [size / 2, size / 2];
  }

  /** Takes the size of the picture. */
  fit(width: number, height: number): void {
    const showsAll = this.scale <= this.minScale;
    [this.#width, this.#height] = [Math.max(1, width), Math.max(1, height)];
    if (showsAll) this.scale = this.minScale;
    this.#clamp();
  }

  get minScale(): number {
    return (MIN_PICTURE_SHARE * Math.min(this.#width, this.#height)) / this.#size;
  }

  /** The position on the grid at a position of the picture. */
  toGrid(x: number, y: number): [number, number] {
    return [this.x + (x - this.#width / 2) / this.scale, this.y + (y - this.#height / 2) / this.scale];
  }

  /** Moves the picture by `dx` CSS pixels to the right and `dy` downwards. */
  pan(dx: number, dy: number): void {
    this.x -= dx / this.scale;
    this.y -= dy / this.scale;
    this.#clamp();
  }

  /** Enlarges by a factor. The given position of the picture, by default its middle, stays in place. */
  zoom(factor: number, x = this.#width / 2, y = this.#height / 2): void {
    const [gridX, gridY] = this.toGrid(x, y);
    this.scale = Math.min(MAX_CELL_SIZE, Math.max(this.minScale, this.scale * factor));
    this.x = gridX - (x - this.#width / 2) / this.scale;
    this.y = gridY - (y - this.#height / 2) / this.scale;
    this.#clamp();
  }

  /**
   * Moves the picture so that it shows nothing around the grid; along an axis on which the grid fits, to its middle.
   */
  #clamp(): void {
    const clamp = (value: number, pixels: number) => {
      const half = pixels / this.scale / 2;
      return 2 * half >= this.#size ? this.#size / 2 : Math.min(this.#size - half, Math.max(half, value));
    };
    [this.x, this.y] = [clamp(this.x, this.#width), clamp(this.y, this.#height)];
  }
}
