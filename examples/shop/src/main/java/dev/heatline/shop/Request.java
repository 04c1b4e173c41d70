package dev.heatline.shop;

import com.sun.net.httpserver.HttpExchange;
import java.io.IOException;
import java.io.OutputStream;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;

/** One HTTP request: its parameters, and the way back for the answer. */
final class Request {
    private final HttpExchange exchange;
    private final Map<String, String> parameters = new HashMap<>();

    Request(HttpExchange exchange) {
        this.exchange = exchange;
        String query = exchange.getRequestURI().getRawQuery();
        int start = 0;
        while (query != null && start < query.length()) {
            int end = query.indexOf('&', start);
            end = end < 0 ? query.length() : end;
            read(query.substring(start, end));
            start = end + 1;
        }
    }

    private void read(String parameter) {
        int equals = parameter.indexOf('=');
        if (equals > 0) {
            parameters.put(
                    parameter.substring(0, equals),
                    URLDecoder.decode(parameter.substring(equals + 1), StandardCharsets.UTF_8));
        }
    }

    String path() {
        return exchange.getRequestURI().getPath();
    }

    String method() {
        return exchange.getRequestMethod();
    }

    String text(String name) {
        String value = parameters.get(name);
        if (value == null || value.isBlank()) {
            throw RequestException.wrong("the parameter " + name + " is missing");
        }
        return value;
    }

    int number(String name) {
        String value = text(name);
        try {
            return Integer.parseInt(value);
        } catch (NumberFormatException e) {
            throw RequestException.wrong(name + " must be a number, but is " + value);
        }
    }

    void answer(int status, String text) throws IOException {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        exchange.getResponseHeaders().set("Content-Type", "text/plain; charset=utf-8");
        exchange.sendResponseHeaders(status, bytes.length == 0 ? -1 : bytes.length);
        try (OutputStream out = exchange.getResponseBody()) {
            out.write(bytes);
        }
    }
}
