package dev.heatline.agent.calls;

import java.io.IOException;
import java.io.InputStream;
import java.lang.invoke.MethodHandles;
import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/** Runs classes that a test has written, of loaders of their own. */
final class Foreign {
    /** Says where they are. */
    static final String FOLDER = "foreign";

    private static final List<Runnable> LOADED = new ArrayList<>();

    private Foreign() {}

    /** Loads a class by a new loader. */
    static void load(String name) throws ReflectiveOperationException, IOException {
        add(Class.forName(name, true, new URLClassLoader(urls())));
    }

    /** Likewise, by one that does not know what is not the application's. */
    static void loadHiding(String name) throws ReflectiveOperationException, IOException {
        add(Class.forName(name, true, new Hiding()));
    }

    /** As the JVM does with lambdas. */
    static void hide() throws ReflectiveOperationException, IOException {
        // Naming it otherwise would load it.
        String file = Foreign.class.getName().replace('.', '/') + "$Veiled.class";
        try (InputStream in = Foreign.class.getClassLoader().getResourceAsStream(file)) {
            byte[] bytes = Objects.requireNonNull(in).readAllBytes();
            add(MethodHandles.lookup().defineHiddenClass(bytes, true).lookupClass());
        }
    }

    private static void add(Class<?> type) throws ReflectiveOperationException {
        LOADED.add(type.asSubclass(Runnable.class).getDeclaredConstructor().newInstance());
    }

    /** Runs one object of each class so far. */
    static void root() {
        for (int i = 0; i < LOADED.size(); i++) {
            LOADED.get(i).run();
        }
    }

    private static URL[] urls() throws MalformedURLException {
        return new URL[] {Path.of(System.getProperty(FOLDER)).toUri().toURL()};
    }

    /** As module systems have them. */
    private static final class Hiding extends URLClassLoader {
        private Hiding() throws MalformedURLException {
            super(urls());
        }

        @Override
        protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
            if (name.startsWith("dev.heatline.")) {
                throw new ClassNotFoundException(name);
            }
            return super.loadClass(name, resolve);
        }
    }

    /** Loaded as a hidden class only. */
    static final class Veiled implements Runnable {
        @Override
        public void run() {
            CallScenes.Plain.leaf();
        }
    }
}
