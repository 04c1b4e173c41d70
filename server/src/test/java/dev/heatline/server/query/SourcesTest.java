package dev.heatline.server.query;

import static dev.heatline.server.query.QueryServer.encoded;
import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The sources a server was given, and everything that must not be got by asking for them. */
class SourcesTest {
    private static final String ORDERS = "package com.shop;\nclass Orders {}\n";

    private static final String MAIL = "package com.shop\n\nclass Mail";

    @TempDir Path directory;
    private Path folder;

    @BeforeEach
    void write() throws IOException {
        folder = directory.resolve("src/main/java");
        Files.createDirectories(folder.resolve("com/shop"));
        Files.writeString(folder.resolve("com/shop/Orders.java"), ORDERS);
        Files.writeString(folder.resolve("com/shop/Mail.kt"), MAIL);
        Files.writeString(folder.resolve("com/shop/Cart.scala"), "package com.shop\nclass Cart");
        Files.writeString(folder.resolve("com/shop/secret.properties"), "password=x");
        Files.writeString(folder.resolve("Main.java"), "class Main {}");
        Files.writeString(directory.resolve("Outside.java"), "class Outside {}");
    }

    @ParameterizedTest
    @CsvSource({
        "com.shop.Orders, com/shop/Orders.java",
        "com.shop.Orders$Line, com/shop/Orders.java",
        "com.shop.Orders$Line$1, com/shop/Orders.java",
        "com.shop.Orders$$Lambda/0x00007f2a14000a00, com/shop/Orders.java",
        "com.shop.Orders$$Lambda.0x00007f2a14000a00, com/shop/Orders.java",
        "com.shop.Orders/0x00007f2a14000a00, com/shop/Orders.java",
        "com.shop.Mail, com/shop/Mail.kt",
        "com.shop.Cart$, com/shop/Cart.scala",
        "Main, Main.java"
    })
    void aClassIsInTheFileOfTheOutermost(String className, String file) throws IOException {
        Sources.Source source = Sources.of(List.of(folder)).of(className);
        assertThat(source.file()).isEqualTo(file);
        assertThat(source.text()).isEqualTo(Files.readString(folder.resolve(file)));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "com.shop.Order",
                "com.shop.orders",
                "Orders",
                "com.shop",
                "com.shop.secret",
                "com.shop.secret.properties",
                "com.shop.Orders.java",
                "com/shop/Orders",
                "../../../Outside",
                "......Outside",
                "com.shop/../../../../Outside",
                "/etc/passwd",
                "file:///etc/passwd",
                "com.shop.Orders\0",
                "$",
                "$Orders",
                ".",
                "$$$",
                "\\\\server\\share"
            })
    void whatIsNotListedIsNotFound(String name) {
        try (QueryServer server = QueryServer.start(directory.resolve("store"), folder)) {
            assertThat(server.refusal("/source?class=" + encoded(name)))
                    .isEqualTo(
                            "404 the server has no source of "
                                    + name
                                    + "; heatline serve --sources FOLDER gives it some");
        }
    }

    @Test
    void overHttpAClassIsOneAnswer() {
        try (QueryServer server = QueryServer.start(directory.resolve("store"), folder)) {
            assertThat(server.get("/source?class=" + encoded("com.shop.Orders$1")))
                    .isEqualTo(
                            Map.of(
                                    "class",
                                    "com.shop.Orders$1",
                                    "file",
                                    "com/shop/Orders.java",
                                    "text",
                                    ORDERS));
            assertThat(server.refusal("/source"))
                    .isEqualTo("400 parameter class is missing: write class=com.shop.Orders");
            assertThat(server.refusal("/source?class=a&class=b"))
                    .isEqualTo("400 class is given 2 times");
            assertThat(server.refusal("/source?class=" + "x".repeat(10_000)))
                    .isEqualTo("400 class has 10000 characters; at most 2000");
            assertThat(server.refusal("/source?class=" + "x".repeat(2_000)))
                    .startsWith("404 the server has no source of xxx")
                    .hasSizeLessThan(200);
        }
    }

    @Test
    void aServerWithoutSourcesSaysHowToGiveItSome() {
        try (QueryServer server = QueryServer.start(directory.resolve("store"))) {
            assertThat(server.refusal("/source?class=com.shop.Orders"))
                    .startsWith("404 ")
                    .contains("--sources");
        }
    }

    @Test
    void archivesHoldSourcesToo() throws IOException {
        String inJar = "package com.shop; // in the jar";
        Path jar = archive("orders-sources.jar", "com/shop/Orders.java", inJar);
        Path other = archive("other.zip", "../../Evil.java", "evil");
        Sources sources = Sources.of(List.of(other, jar, folder));
        assertThat(sources.of("com.shop.Orders").text()).as("the first").isEqualTo(inJar);
        assertThat(sources.of("com.shop.Mail").text()).isEqualTo(MAIL);
        assertThatThrownBy(() -> sources.of("../../Evil")).isInstanceOf(QueryException.class);
    }

    @Test
    void foldersAboveAPackageMayBeAny() throws IOException {
        for (Path given : List.of(directory, directory.resolve("src"), folder.resolve("com"))) {
            Sources.Source source = Sources.of(List.of(given)).of("com.shop.Orders$Line");
            assertThat(source.file()).isEqualTo("com/shop/Orders.java");
            assertThat(source.text()).isEqualTo(ORDERS);
        }
        Sources sources = Sources.of(List.of(directory));
        assertThat(sources.of("Main").text()).isEqualTo("class Main {}");
        assertThatThrownBy(() -> sources.of("src.main.java.com.shop.Orders"))
                .hasMessageContaining("no source of src.main.java");
        Path zip = archive("project.zip", "shop-1.2/src/main/java/com/shop/Orders.java", ORDERS);
        assertThat(Sources.of(List.of(zip)).of("com.shop.Orders").text()).isEqualTo(ORDERS);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "A.java|package a.b;|a.b.A",
                "A.java|/* package c; */ // package d;\\n  package a.b ;|a.b.A",
                "A.java|class A { String s = \"\\n package a.b;\"; }|A",
                "A.java|import a.b;\\npackage a.b;|A",
                "A.java|\ufeffpackage ä.ö;|ä.ö.A",
                "A.kt|@file:JvmName(\"A\")\\n@file:Suppress(\"x\", \"y\")\\npackage a.`in`|a.in.A",
                "A.scala|package a\\npackage b\\nclass A|a.b.A",
                "package.scala|package a\\npackage object b {}|a.b.package$"
            })
    void aFileBelongsToThePackageItSays(String name, String text, String className)
            throws IOException {
        Path file = directory.resolve("src/x/" + name);
        Files.createDirectories(file.getParent());
        String content = text.translateEscapes();
        Files.writeString(file, content);
        assertThat(Sources.of(List.of(directory.resolve("src"))).of(className).text())
                .isEqualTo(content);
    }

    @Test
    void whatStandsAboveThePackageMayBeLongButNotAnyLength() throws IOException {
        String line = "// all rights\n";
        String much = line.repeat(60_000 / line.length());
        Files.writeString(directory.resolve("Much.java"), much + "package a.b;");
        Files.writeString(directory.resolve("More.java"), much + much + "package a.b;");
        Sources sources = Sources.of(List.of(directory));
        assertThat(sources.of("a.b.Much").text()).endsWith("package a.b;");
        assertThat(sources.of("More").text()).endsWith("package a.b;");
        assertThatThrownBy(() -> sources.of("a.b.More")).hasMessageContaining("no source");
    }

    @Test
    void aPackageIsReadWholeWhereverItStands() throws IOException {
        String text = "package com.shop.orders;\nclass At {}\n";
        for (int above = 4_096 - text.length(); above <= 4_100; above++) {
            String content = "//" + " ".repeat(above - 3) + "\n" + text;
            Files.writeString(directory.resolve("At.java"), content);
            assertThat(Sources.of(List.of(directory)).of("com.shop.orders.At").text())
                    .isEqualTo(content);
        }
    }

    @Test
    void ofTwoFilesTheFirstInTheOrderOfPathsIsShown() throws IOException {
        for (String module : List.of("c", "a", "b", "a-b")) {
            Path file = directory.resolve("project/" + module + "/com/shop/Twice.java");
            Files.createDirectories(file.getParent());
            Files.writeString(file, "package com.shop; // " + module);
        }
        Path project = directory.resolve("project");
        assertThat(Sources.of(List.of(project)).of("com.shop.Twice").text()).endsWith("// a");
        Sources given = Sources.of(List.of(project.resolve("b"), project));
        assertThat(given.of("com.shop.Twice").text()).endsWith("// b");
    }

    @Test
    void whatIsNoUtf8IsReplaced() throws IOException {
        Files.write(folder.resolve("Main.java"), new byte[] {'a', (byte) 0xff, 'b'});
        assertThat(Sources.of(List.of(folder)).of("Main").text()).isEqualTo("a\ufffdb");
    }

    @Test
    void linksAreNotFollowed() throws IOException {
        Files.createSymbolicLink(folder.resolve("Link.java"), directory.resolve("Outside.java"));
        Files.createSymbolicLink(folder.resolve("up"), directory);
        Sources sources = Sources.of(List.of(folder));
        assertThatThrownBy(() -> sources.of("Link")).hasMessageContaining("no source of Link");
        assertThatThrownBy(() -> sources.of("up.Outside")).hasMessageContaining("no source");

        Path link = Files.createSymbolicLink(directory.resolve("sources"), folder);
        assertThat(Sources.of(List.of(link)).of("Main").text()).isEqualTo("class Main {}");
    }

    @Test
    void aFileThatBecameALinkOrIsGoneIsNotRead() throws IOException {
        Sources sources = Sources.of(List.of(folder));
        Files.delete(folder.resolve("Main.java"));
        assertThatThrownBy(() -> sources.of("Main"))
                .hasMessage("the source of Main can no longer be read; the server's log says why");
        Files.createSymbolicLink(folder.resolve("Main.java"), directory.resolve("Outside.java"));
        assertThatThrownBy(() -> sources.of("Main")).hasMessageContaining("no longer");

        Path shop = folder.resolve("com/shop");
        Path elsewhere = Files.createDirectory(directory.resolve("elsewhere"));
        Files.writeString(elsewhere.resolve("Orders.java"), "elsewhere");
        for (String name : List.of("Orders.java", "Mail.kt", "Cart.scala", "secret.properties")) {
            Files.delete(shop.resolve(name));
        }
        Files.delete(shop);
        Files.createSymbolicLink(shop, elsewhere);
        assertThatThrownBy(() -> sources.of("com.shop.Orders")).hasMessageContaining("no longer");
    }

    @Test
    void largeFilesAndThoseThatAreTooManyAreLeftOutAndCounted() throws IOException {
        Files.write(folder.resolve("Large.java"), new byte[101]);
        Files.write(folder.resolve("Just.java"), new byte[100]);
        Sources bySize = Sources.of(List.of(folder), 1_000, 100);
        assertThat(bySize.of("Just").text()).hasSize(100);
        assertThatThrownBy(() -> bySize.of("Large")).hasMessageContaining("no source of Large");
        assertThat(bySize.leftOut())
                .hasValue(
                        "sources left out: 1 larger than 100 bytes, 0 beyond the first 1000, 0"
                                + " that cannot be read");
        Files.write(folder.resolve("Just.java"), new byte[101]);
        assertThatThrownBy(() -> bySize.of("Just")).hasMessageContaining("no longer");

        assertThat(Sources.of(List.of(folder), 2, 1_000).leftOut().orElseThrow())
                .contains("4 beyond the first 2");
        assertThat(Sources.of(List.of(folder)).leftOut()).isEmpty();
    }

    @Test
    void anArchiveThatUnpacksToMoreThanItSaysIsNotReadWhole() throws IOException {
        Path zip = archive("large.zip", "Large.java", "x".repeat(101));
        byte[] bytes = Files.readAllBytes(zip);
        // The unpacked size in the list at the end, which is what is known before unpacking.
        int list = new String(bytes, ISO_8859_1).indexOf("PK\1\2");
        bytes[list + 24] = 1;
        Files.write(zip, bytes);
        Sources sources = Sources.of(List.of(zip), 10, 100);
        assertThatThrownBy(() -> sources.of("Large")).hasMessageContaining("no longer");
    }

    @Test
    void whatIsNoFolderAndNoArchiveIsNamed() throws IOException {
        Path none = directory.resolve("none");
        assertThatThrownBy(() -> Sources.of(List.of(folder, none)))
                .isInstanceOf(IOException.class)
                .hasMessage(none + ": there is no such folder or archive of sources");
        Path file = directory.resolve("Outside.java");
        assertThatThrownBy(() -> Sources.of(List.of(file)))
                .hasMessageStartingWith(file + ": is no folder and no jar or zip of sources: ");
        Path jar = archive("cut.jar", "Main.java", "class Main {}");
        byte[] whole = Files.readAllBytes(jar);
        Files.write(jar, Arrays.copyOf(whole, whole.length - 10));
        assertThatThrownBy(() -> Sources.of(List.of(jar))).hasMessageStartingWith(jar + ": is no");
    }

    @Test
    void anArchiveThatIsDamagedInsideIsToldWhenItIsAsked() throws IOException {
        Path jar = archive("damaged.jar", "Main.java", "class Main {}".repeat(100));
        byte[] bytes = Files.readAllBytes(jar);
        Arrays.fill(bytes, 40, 50, (byte) 0xff);
        Files.write(jar, bytes);
        Sources sources = Sources.of(List.of(jar));
        assertThatThrownBy(() -> sources.of("Main")).hasMessageContaining("no longer be read");
    }

    private Path archive(String name, String entry, String text) throws IOException {
        Path file = directory.resolve(name);
        try (ZipOutputStream out = new ZipOutputStream(Files.newOutputStream(file))) {
            out.putNextEntry(new ZipEntry(entry));
            out.write(text.getBytes(UTF_8));
            out.closeEntry();
        }
        return file;
    }
}
