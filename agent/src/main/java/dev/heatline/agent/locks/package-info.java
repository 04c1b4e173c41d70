/**
 * The tracer of locks, switched on and off at run time: changes the bytecode of classes so that
 * they call {@link dev.heatline.agent.boot.LockHooks}, and gives it back. What the hooks see is
 * written by native code into the file of {@link dev.heatline.wire.LockTrace}.
 */
@NullMarked
package dev.heatline.agent.locks;

import org.jspecify.annotations.NullMarked;
