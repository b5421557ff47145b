-- Which schema a node needs: that of the newest migration it was built with. Two builds may call
-- themselves the same version. Nodes that were built before say nothing.
alter table ebb.node add column needs_schema integer;
