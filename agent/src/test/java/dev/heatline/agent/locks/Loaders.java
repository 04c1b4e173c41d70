package dev.heatline.agent.locks;

import java.io.IOException;
import java.io.InputStream;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;

/** A scene in classes of the application's own loaders. */
final class Loaders {
    private static final List<Class<?>> defined = new ArrayList<>();

    private Loaders() {}

    private static final CountDownLatch letGo = new CountDownLatch(1);

    /** In the same class, of another loader each time. */
    static void block() throws Exception {
        block(new Own());
    }

    /** Likewise; who asks the loader for what it does not know gets no answer. */
    static void blockInStuck() throws Exception {
        block(new Stuck());
    }

    /** Lets all loaders answer, now and in future. */
    static void letGo() {
        letGo.countDown();
    }

    private static void block(ClassLoader loader) throws Exception {
        Class<?> type = loader.loadClass(Elsewhere.class.getName());
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
    private static class Own extends ClassLoader {
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

    /** Not even an interrupt brings it back. */
    private static final class Stuck extends Own {
        @Override
        protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
            boolean asked = name.endsWith("LockHooks");
            if (asked) {
                System.out.println("stuck");
            }
            while (asked && letGo.getCount() > 0) {
                try {
                    letGo.await();
                } catch (InterruptedException e) {
                    System.out.println("interrupted");
                }
            }
            return super.loadClass(name, resolve);
        }
    }
}
