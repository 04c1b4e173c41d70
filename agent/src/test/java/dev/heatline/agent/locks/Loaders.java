package dev.heatline.agent.locks;

import java.io.IOException;
import java.io.InputStream;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.List;

/** A scene in classes of the application's own loaders. */
final class Loaders {
    private static final List<Class<?>> defined = new ArrayList<>();

    private Loaders() {}

    /** In the same class, of another loader each time. */
    static void block() throws Exception {
        Class<?> type = new Own().loadClass(Elsewhere.class.getName());
        Method hold = type.getDeclaredMethod("hold", Object.class, Runnable.class);
        hold.setAccessible(true);
        defined.add(type);
        Object lock = new Object();
        Scenes.contend(
                inside -> invoke(hold, lock, inside),
                () -> invoke(hold, lock, (Runnable) () -> {}));
        System.out.println("blocked in " + defined.size());
    }

    private static void invoke(Method method, Object... arguments) {
        try {
            method.invoke(null, arguments);
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Has a class of its own, and says who asks it for what else while it defines that. */
    private static final class Own extends ClassLoader {
        private boolean defining;

        @Override
        protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
            if (name.endsWith("LockHooks")) {
                System.out.println(
                        defining
                                ? "asked while defining"
                                : "asked by " + Thread.currentThread().getName());
            }
            return name.equals(Elsewhere.class.getName())
                    ? define(name)
                    : super.loadClass(name, resolve);
        }

        private Class<?> define(String name) throws ClassNotFoundException {
            String file = "/" + name.replace('.', '/') + ".class";
            try (InputStream in = Elsewhere.class.getResourceAsStream(file)) {
                byte[] bytes = in.readAllBytes();
                defining = true;
                return defineClass(name, bytes, 0, bytes.length);
            } catch (IOException e) {
                throw new ClassNotFoundException(name, e);
            } finally {
                defining = false;
            }
        }
    }
}
