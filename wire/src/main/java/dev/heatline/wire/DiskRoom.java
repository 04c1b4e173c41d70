package dev.heatline.wire;

import java.io.File;

/**
 * The room on the disk that a flight recorder writes to. HotSpot ends its process when the recorder
 * finds none (JDK-8280684), so nothing is recorded where there is little: what others write between
 * two looks has to fit into what is left. Looking allocates nothing.
 */
public final class DiskRoom {

    /** Recording ends below this share of the disk, but not below the least or above the most. */
    private static final int SHARE = 50;

    private static final long LEAST_BYTES = 32L << 20;
    private static final long MOST_BYTES = 512L << 20;

    /** So much of what is free may be used. */
    private static final int OURS = 4;

    /** No limit is one of zero for a flight recorder. */
    private static final long LEAST_LIMIT = 1 << 20;

    private final File folder;
    private final long floor;

    /**
     * @param folder somewhere on the disk
     */
    public DiskRoom(File folder) {
        this.folder = folder;
        long share = folder.getTotalSpace() / SHARE;
        this.floor = Math.max(LEAST_BYTES, Math.min(MOST_BYTES, share));
    }

    /** Whether recording has to end. */
    public boolean isLow() {
        return isLessThan(floor);
    }

    /** Whether recording may begin: there is room for what it takes, and then still enough. */
    public boolean isEnough() {
        return !isLessThan(2 * floor);
    }

    /** Never if the folder is gone: then nothing is known. */
    private boolean isLessThan(long bytes) {
        long free = folder.getUsableSpace();
        return free < bytes && (free > 0 || folder.getTotalSpace() > 0);
    }

    /**
     * What a recording may take.
     *
     * @param wanted if there is plenty of room
     */
    public long limit(long wanted) {
        long free = folder.getUsableSpace();
        return free > 0 ? Math.max(LEAST_LIMIT, Math.min(wanted, free / OURS)) : wanted;
    }

    /** Why nothing is recorded when there is not enough, and until when, for people. */
    public String shortage() {
        return "is not recorded until "
                + ((2 * floor) >> 20)
                + " MB are free in "
                + folder
                + ": a flight recorder that finds no room on disk ends its JVM";
    }
}
