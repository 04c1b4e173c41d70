package dev.heatline.report;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Base64;
import java.util.List;

/**
 * A self-contained page: style and script are inlined, nothing is loaded. Everything that comes
 * from a profile passes through {@link #text}; the page's security policy admits its own script
 * only, should a name ever get past that.
 */
final class HtmlPage {
    private static final String STYLE = resource("report.css");
    private static final String SCRIPT = resource("report.js");

    /** No method of a real program comes near this. */
    private static final int LONGEST_NAME = 500;

    private final Writer out;

    private HtmlPage(Writer out) {
        this.out = out;
    }

    /** Begins a page that shows one view. */
    static HtmlPage start(Writer out, Head head) throws IOException {
        HtmlPage page = new HtmlPage(out);
        page.head(head, head.view());
        page.markup("<main>");
        return page;
    }

    /**
     * Begins a page with several views; those follow as sections with these names as ids.
     *
     * @param first the view to open with
     */
    static HtmlPage start(Writer out, Head head, String first, String... views) throws IOException {
        HtmlPage page = new HtmlPage(out);
        page.head(head, first);
        page.markup("<nav>");
        for (String view : views) {
            page.markup("<a href=\"#").text(view).markup("\">").text(view).markup("</a>");
        }
        page.markup(
                "<span></span><input type=search placeholder=\"Find a name ( / )\""
                        + " aria-label=\"Find a name\"></nav><main>");
        return page;
    }

    /** Begins a page that is about no single profile. */
    static HtmlPage start(Writer out, String title, String subject) throws IOException {
        HtmlPage page = new HtmlPage(out);
        page.head(title, title, subject, List.of());
        page.markup("<main>");
        return page;
    }

    private void head(Head head, String view) throws IOException {
        String resource = head.measured().resource().name();
        head(view, head.title(), resource + " " + head.total(), head.lines());
    }

    private void head(String view, String title, String subject, List<String> lines)
            throws IOException {
        markup("<!doctype html>\n<html lang=en><head><meta charset=utf-8>");
        markup("<meta name=viewport content=\"width=device-width\">");
        markup("<meta http-equiv=Content-Security-Policy content=\"default-src 'none'; ");
        markup("style-src 'unsafe-inline'; script-src 'sha256-" + sha256(SCRIPT) + "'\">");
        markup("<title>").text(title + " · " + view).markup("</title>");
        markup("<style>" + STYLE + "</style></head><body data-view=\"").text(view).markup("\">");
        markup("<header><h1>").text(title).markup("<small>");
        text(subject).markup("</small></h1>");
        for (String line : lines) {
            markup("<p>").text(line).markup("</p>");
        }
        markup("</header>");
    }

    /** A statement about the rows; nothing if it is empty. */
    void note(String statement) throws IOException {
        if (!statement.isEmpty()) {
            markup("<p class=note>").text(statement).markup("</p>");
        }
    }

    void end() throws IOException {
        markup("</main><script>" + SCRIPT + "</script></body></html>\n");
        out.flush();
    }

    HtmlPage markup(String trusted) throws IOException {
        out.append(trusted);
        return this;
    }

    /** Text of any origin, in an element or a quoted attribute. */
    HtmlPage text(String any) throws IOException {
        escape(out, any);
        return this;
    }

    static void escape(Writer out, String any) throws IOException {
        String visible = VisibleText.of(any);
        for (int i = 0; i < visible.length(); i++) {
            char c = visible.charAt(i);
            switch (c) {
                case '&' -> out.append("&amp;");
                case '<' -> out.append("&lt;");
                case '>' -> out.append("&gt;");
                case '"' -> out.append("&quot;");
                case '\'' -> out.append("&#39;");
                default -> out.append(c);
            }
        }
    }

    /** A name; that of a method with its class and method made to stand out. */
    HtmlPage name(String any) throws IOException {
        String name = VisibleText.shortened(any, LONGEST_NAME);
        if (name.indexOf(' ') >= 0) {
            return markup("<bdi>").text(name).markup("</bdi>");
        }
        int parameters = name.indexOf('(');
        int end = parameters > 0 ? parameters : name.length();
        int method = name.lastIndexOf('.', end - 1);
        int start = method > 0 ? name.lastIndexOf('.', method - 1) + 1 : 0;
        markup("<bdi>");
        if (start > 0) {
            markup("<i>").text(name.substring(0, start)).markup("</i>");
        }
        text(name.substring(start, end));
        if (end < name.length()) {
            markup("<i>").text(name.substring(end)).markup("</i>");
        }
        return markup("</bdi>");
    }

    private static String sha256(String script) {
        try {
            byte[] hash =
                    MessageDigest.getInstance("SHA-256")
                            .digest(script.getBytes(StandardCharsets.UTF_8));
            return Base64.getEncoder().encodeToString(hash);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every JDK has SHA-256", e);
        }
    }

    private static String resource(String name) {
        try (InputStream in = HtmlPage.class.getResourceAsStream(name)) {
            if (in == null) {
                throw new IllegalStateException(name + " is missing from heatline-report");
            }
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
