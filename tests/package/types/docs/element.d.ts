declare const baseUrl: string, cardUrl: string, token: string;
declare function show(message: string): void;
