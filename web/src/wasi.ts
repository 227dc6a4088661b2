// The only system service that the C library needs: files, kept as texts in the page.

const ERROR_BADF = 8, ERROR_NOENT = 44, ERROR_NOSYS = 52;
const ROOT = 3; // the descriptor of the only folder

interface OpenFile { bytes: Uint8Array; at: number }

export class Files {
  memory!: WebAssembly.Memory;
  private texts = new Map<string, Uint8Array>();
  private open = new Map<number, OpenFile>();

  put(name: string, text: string): void {
    this.texts.set(name, new TextEncoder().encode(text));
  }

  private view(): DataView {
    return new DataView(this.memory.buffer);
  }

  private name(at: number, length: number): string {
    return new TextDecoder().decode(new Uint8Array(this.memory.buffer, at, length));
  }

  private putStat(at: number, size: number, folder: boolean): void {
    const view = this.view();
    for (let i = 0; i < 64; i += 8) view.setBigUint64(at + i, 0n, true);
    view.setUint8(at + 16, folder ? 3 : 4);
    view.setBigUint64(at + 32, BigInt(size), true);
  }

  private openPath(at: number, length: number, result: number): number {
    const bytes = this.texts.get(this.name(at, length));
    if (!bytes) return ERROR_NOENT;
    let file = ROOT + 1;
    while (this.open.has(file)) ++file;
    this.open.set(file, { bytes, at: 0 });
    this.view().setUint32(result, file, true);
    return 0;
  }

  private read(file: number, vectors: number, count: number, result: number): number {
    const from = this.open.get(file);
    if (!from) return ERROR_BADF;
    const view = this.view();
    let total = 0;
    for (let i = 0; i < count; ++i) {
      const to = view.getUint32(vectors + 8 * i, true), room = view.getUint32(vectors + 8 * i + 4, true);
      const part = from.bytes.subarray(from.at, from.at + room);
      new Uint8Array(this.memory.buffer).set(part, to);
      from.at += part.length;
      total += part.length;
    }
    view.setUint32(result, total, true);
    return 0;
  }

  // The WASI functions that the module imports; those that are never needed return ERROR_NOSYS.
  imports(names: string[]): WebAssembly.ModuleImports {
    const known: { [name: string]: (...args: any[]) => number } = {
      environ_sizes_get: (a, b) => (this.view().setUint32(a, 0, true), this.view().setUint32(b, 0, true), 0),
      environ_get: () => 0,
      fd_prestat_get: (file, at) => {
        if (file !== ROOT) return ERROR_BADF;
        this.view().setUint32(at, 0, true);
        this.view().setUint32(at + 4, 1, true);
        return 0;
      },
      fd_prestat_dir_name: (_file, at) => (this.view().setUint8(at, 0x2f), 0),
      fd_fdstat_get: (file, at) => {
        const view = this.view();
        view.setUint8(at, file === ROOT ? 3 : 4);
        view.setUint16(at + 2, 0, true);
        view.setBigUint64(at + 8, 0xffffffffn, true);
        view.setBigUint64(at + 16, 0xffffffffn, true);
        return file === ROOT || this.open.has(file) ? 0 : ERROR_BADF;
      },
      fd_filestat_get: (file, at) => {
        const open = this.open.get(file);
        if (open) this.putStat(at, open.bytes.length, false);
        return open ? 0 : ERROR_BADF;
      },
      path_filestat_get: (_file, _flags, path, length, at) => {
        const bytes = this.texts.get(this.name(path, length));
        if (bytes) this.putStat(at, bytes.length, false);
        return bytes ? 0 : ERROR_NOENT;
      },
      path_open: (_folder, _look, path, length, _o, _rights, _more, _flags, result) =>
        this.openPath(path, length, result),
      fd_read: (file, vectors, count, result) => this.read(file, vectors, count, result),
      fd_close: (file) => (this.open.delete(file) ? 0 : ERROR_BADF),
    };
    return Object.fromEntries(names.map((name) => [name, known[name] ?? (() => ERROR_NOSYS)]));
  }
}
