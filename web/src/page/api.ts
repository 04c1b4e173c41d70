/** What the server says of every answer about a selection. */
export interface Answer {
  asOf: string;
  profiles: number;
  resource: { name: string; unit: string };
  total: number;
  /** How many samples or calls; not known of every resource. */
  totalCalls?: number;
  recordedCalls?: number;
  /** Only of a comparison, whose provenance is that of both sides. */
  baselineTotal?: number;
  occurrences?: string;
  remarks?: string[];
  provenance: Provenance;
}

export interface Provenance {
  counts: Record<string, number>;
  [fact: string]: string | Record<string, number>;
}

/** A question the server did not answer, with what it or the browser said. */
export class Unanswered extends Error {
  constructor(
    readonly status: number,
    message: string,
  ) {
    super(message);
  }

  /** Whether another token may help. */
  get isRefused(): boolean {
    return this.status === 401 || this.status === 403;
  }

  /** Whether the same question may have an answer a moment later. */
  get mayPass(): boolean {
    return this.status === 0 || this.status === 429 || this.status >= 500;
  }
}

const TOKEN = 'heatline-token';

/** The server's questions. What is asked in vain because the page has gone on is given up. */
export class Api {
  private underWay = new AbortController();

  /** Gives up what was asked before: nobody waits for it. */
  begin(): void {
    this.underWay.abort();
    this.underWay = new AbortController();
  }

  async ask<T>(path: string, params: URLSearchParams = new URLSearchParams()): Promise<T> {
    return (await (await this.send('GET', path, params, this.underWay.signal)).json()) as T;
  }

  /** Asks the server to change something; that is not given up when the page goes on. */
  async change<T>(method: 'POST' | 'PUT' | 'DELETE', path: string, params: URLSearchParams): Promise<T> {
    return (await (await this.send(method, path, params)).json()) as T;
  }

  private async send(
    method: string,
    path: string,
    params: URLSearchParams,
    signal?: AbortSignal,
  ): Promise<Response> {
    const query = params.toString();
    const token = sessionStorage.getItem(TOKEN);
    let response: Response;
    try {
      response = await fetch(`api/v1/${path}${query === '' ? '' : `?${query}`}`, {
        method,
        headers: token === null ? {} : { Authorization: `Bearer ${token}` },
        signal,
      });
    } catch (error) {
      if (error instanceof DOMException && error.name === 'AbortError') throw error;
      throw new Unanswered(0, 'The server does not answer. Is it running?');
    }
    if (response.ok) return response;
    throw new Unanswered(response.status, await reason(response));
  }

  /** Tokens live as long as the tab. What no header can hold is none, and refused as such. */
  useToken(token: string): void {
    sessionStorage.setItem(TOKEN, token.replace(/[^\x21-\x7e]/g, '?'));
  }
}

async function reason(response: Response): Promise<string> {
  const text = await response.text();
  try {
    return String((JSON.parse(text) as { error: string }).error);
  } catch {
    return text === '' ? `The server answers ${response.status}.` : text.slice(0, 500);
  }
}
