package dev.heatline.store;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.locks.Lock;

/** Deletes dictionaries that no profile was written with, and applications without profiles. */
final class Unused {
    private final Engine engine;
    private final Writer writer;

    /** Held while nobody reads what has no profiles any more. */
    private final Lock noReaders;

    Unused(Engine engine, Writer writer, Lock noReaders) {
        this.engine = engine;
        this.writer = writer;
        this.noReaders = noReaders;
    }

    /**
     * Looks for what an application does not need any more while others go on, and deletes it.
     *
     * @return false if somebody reads just now: it has to be tried again
     */
    boolean delete(String application) {
        Application known;
        List<Long> unused;
        try (Reading reading = engine.read()) {
            byte[] bytes = reading.get(Keys.application(application));
            if (bytes == null) {
                return true;
            }
            known = Application.read(bytes);
            if (!isEmpty(reading, known.number())) {
                unused = unused(reading, known);
                return unused.isEmpty() || deleteDictionaries(known, unused);
            }
        }
        return deleteAll(known);
    }

    /**
     * Profiles are written with the newest dictionary only, which is none of these, so what has no
     * profiles will never have any.
     */
    private static List<Long> unused(Reading reading, Application application) {
        List<Long> numbers = dictionaries(reading, application.number());
        numbers.remove(application.dictionary());
        if (!numbers.isEmpty()) {
            numbers.removeAll(used(reading, application.number()));
        }
        return numbers;
    }

    private boolean deleteDictionaries(Application application, List<Long> unused) {
        if (!noReaders.tryLock()) {
            return false;
        }
        try (Batch batch = new Batch()) {
            for (long dictionary : unused) {
                byte[] start = Keys.dictionary(application.number(), dictionary);
                batch.deleteRange(start, Keys.after(start));
            }
            engine.write(batch);
            return true;
        } finally {
            noReaders.unlock();
        }
    }

    private boolean deleteAll(Application application) {
        synchronized (writer.lock(application.name())) {
            if (!noReaders.tryLock()) {
                return false;
            }
            try (Reading reading = engine.read();
                    Batch batch = new Batch()) {
                if (isEmpty(reading, application.number())) {
                    byte[] start = Keys.of(Keys.DICTIONARY, application.number());
                    batch.deleteRange(start, Keys.after(start));
                    batch.delete(Keys.application(application.name()));
                    engine.write(batch);
                }
                return true;
            } finally {
                noReaders.unlock();
            }
        }
    }

    private static boolean isEmpty(Reading reading, long application) {
        byte[] start = Keys.of(Keys.EXECUTION, application);
        try (Scan scan = reading.scan(start, Keys.after(start))) {
            return !scan.isValid();
        }
    }

    private static List<Long> dictionaries(Reading reading, long application) {
        List<Long> numbers = new ArrayList<>();
        byte[] start = Keys.of(Keys.DICTIONARY, application);
        try (Scan scan = reading.scan(start, Keys.after(start))) {
            while (scan.isValid()) {
                long number = Keys.secondNumber(scan.key());
                numbers.add(number);
                scan.seek(Keys.after(Keys.dictionary(application, number)));
            }
        }
        return numbers;
    }

    private static Set<Long> used(Reading reading, long application) {
        Set<Long> numbers = new HashSet<>();
        byte[] start = Keys.of(Keys.HEAD, application);
        try (Scan scan = reading.scan(start, Keys.after(start))) {
            for (; scan.isValid(); scan.next()) {
                numbers.add(Head.read(scan.value()).dictionary());
            }
        }
        return numbers;
    }
}
