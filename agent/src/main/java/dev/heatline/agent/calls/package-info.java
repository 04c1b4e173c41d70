/**
 * Measures exactly how often and how long methods are called below chosen roots, while the
 * application runs: {@link dev.heatline.agent.calls.Calls} is told to by an attaching tool, {@link
 * dev.heatline.agent.calls.Reached} finds the methods, and {@link
 * dev.heatline.agent.calls.CallInsertion} has them call {@link dev.heatline.agent.boot.CallHooks}.
 */
@NullMarked
package dev.heatline.agent.calls;

import org.jspecify.annotations.NullMarked;
