export interface Paging {
  readonly limit: number;
  readonly offset: number;
}
